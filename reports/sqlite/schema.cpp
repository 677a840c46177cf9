#include "reports/sqlite/schema.h"

namespace ridgepoint::sqlite {

// SI units; NULL is "not measured". The names of columns are those of the JSON report and the CSV.
// Whoever joins tables never sees `meta`: rows of numbers that may be predicted name their source.
const char* const schema = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE device (
  id INTEGER PRIMARY KEY, name TEXT, chip TEXT, compute_capability TEXT, sm_count INTEGER,
  l2_bytes INTEGER, smem_per_sm_bytes INTEGER, memory_bytes INTEGER, sm_clock_max_hz REAL,
  memory_clock_max_hz REAL, driver_version TEXT, runtime_version TEXT, cupti_version TEXT);
CREATE TABLE ceilings (
  id TEXT, kind TEXT, label TEXT, unit TEXT, theoretical REAL, measured REAL, source TEXT);
CREATE TABLE workload (
  batch INTEGER, heads INTEGER, kv_heads INTEGER, seqlen_q INTEGER, seqlen_k INTEGER,
  head_dim INTEGER, dtype TEXT, causal INTEGER, direction TEXT);
CREATE TABLE variants (
  id INTEGER PRIMARY KEY, name TEXT, description TEXT, time_s REAL, speedup_over_first REAL,
  p50_s REAL, p90_s REAL, p99_s REAL, repeats INTEGER,
  hbm_bytes REAL, hbm_bytes_predicted REAL, l2_bytes REAL, l2_bytes_predicted REAL,
  smem_bytes REAL, smem_bytes_predicted REAL, compulsory_bytes REAL, l2_merged_bytes REAL,
  flop_counted REAL, flop_analytic REAL, flop_per_s REAL, tokens_per_s REAL,
  cost_per_million_tokens REAL, workspace_bytes INTEGER, max_error REAL, correct INTEGER,
  power_w REAL, energy_j REAL, flop_per_j REAL, tokens_per_j REAL, source TEXT);
CREATE TABLE kernels (
  id INTEGER PRIMARY KEY, name TEXT, short_name TEXT, variant_id INTEGER REFERENCES variants,
  role TEXT, launches INTEGER, time_s REAL, time_share REAL, bound_by TEXT, bound_pipe TEXT,
  bound_basis TEXT, headroom REAL, flop REAL, flop_per_s REAL, precision TEXT,
  hbm_bytes REAL, l2_bytes REAL, smem_bytes REAL, l2_merged_bytes REAL,
  intensity_hbm REAL, intensity_l2 REAL, intensity_smem REAL,
  hbm_utilisation REAL, l2_utilisation REAL, smem_utilisation REAL, compute_utilisation REAL,
  memory_stall_ratio REAL, stall_samples INTEGER, occupancy REAL, occupancy_theoretical REAL,
  occupancy_limiter TEXT, registers INTEGER, smem_per_block INTEGER, sm_clock_hz REAL,
  power_w REAL, energy_j REAL, energy_launches INTEGER, source TEXT);
CREATE TABLE quantities (
  kernel_id INTEGER REFERENCES kernels, quantity TEXT, value REAL,
  PRIMARY KEY (kernel_id, quantity)) WITHOUT ROWID;
CREATE TABLE stalls (
  kernel_id INTEGER REFERENCES kernels, reason TEXT, share REAL, memory INTEGER,
  PRIMARY KEY (kernel_id, reason)) WITHOUT ROWID;
CREATE TABLE stalls_by_device (
  kernel_id INTEGER REFERENCES kernels, device_id INTEGER, reason TEXT, share REAL, memory INTEGER,
  PRIMARY KEY (kernel_id, device_id, reason)) WITHOUT ROWID;
CREATE TABLE hot_spots (
  kernel_id INTEGER REFERENCES kernels, pc_offset INTEGER, samples INTEGER, share REAL,
  reason TEXT, reason_share REAL, sass TEXT, source_file TEXT, source_line INTEGER,
  PRIMARY KEY (kernel_id, pc_offset)) WITHOUT ROWID;
CREATE TABLE launches (
  id INTEGER PRIMARY KEY, kernel_id INTEGER REFERENCES kernels, device_id INTEGER, stream INTEGER,
  grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, block_x INTEGER, block_y INTEGER,
  block_z INTEGER, cluster_x INTEGER, cluster_y INTEGER, cluster_z INTEGER,
  dynamic_smem_bytes INTEGER, range_id INTEGER, start_ns INTEGER, end_ns INTEGER);
CREATE TABLE counter_names (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE counters (
  launch_id INTEGER REFERENCES launches, counter_id INTEGER REFERENCES counter_names, value REAL,
  PRIMARY KEY (launch_id, counter_id)) WITHOUT ROWID;
CREATE TABLE ranges (
  id INTEGER PRIMARY KEY, name TEXT, domain TEXT, thread INTEGER, start_ns INTEGER,
  end_ns INTEGER, parent_id INTEGER REFERENCES ranges);
CREATE TABLE memory_operations (
  id INTEGER PRIMARY KEY, kind TEXT, device_id INTEGER, stream INTEGER, bytes INTEGER,
  start_ns INTEGER, end_ns INTEGER);
CREATE TABLE range_traffic (
  range TEXT, occurrences INTEGER, launches INTEGER, time_s REAL,
  hbm_bytes REAL, hbm_read_bytes REAL, hbm_write_bytes REAL,
  l2_bytes REAL, l2_read_bytes REAL, l2_write_bytes REAL,
  smem_bytes REAL, smem_read_bytes REAL, smem_write_bytes REAL);
CREATE TABLE power_phases (
  device_id INTEGER REFERENCES device, phase TEXT, variant TEXT, start_s REAL, duration_s REAL,
  runs INTEGER, power_w REAL, energy_j REAL,
  sm_clock_min_hz REAL, sm_clock_mean_hz REAL, sm_clock_max_hz REAL, temperature_max_c REAL,
  power_capped_share REAL, slowed_share REAL);
CREATE TABLE power_samples (
  device_id INTEGER REFERENCES device, time_s REAL, power_w REAL, sm_clock_hz REAL,
  memory_clock_hz REAL, temperature_c REAL);
CREATE TABLE pm_samples (
  variant TEXT, time_s REAL, quantity TEXT, value REAL, unit TEXT,
  kernel TEXT, nth INTEGER, device_id INTEGER REFERENCES device);
CREATE TABLE diagnoses (
  id INTEGER PRIMARY KEY, rule TEXT, title TEXT, severity TEXT,
  kernel_id INTEGER REFERENCES kernels, variant TEXT, explanation TEXT, action TEXT,
  estimated_gain REAL, gain_kind TEXT, gain_formula TEXT, not_applicable_when TEXT);
CREATE TABLE evidence (
  diagnosis_id INTEGER REFERENCES diagnoses, quantity TEXT, value REAL, unit TEXT, threshold REAL);
CREATE TABLE targets (
  id TEXT, label TEXT, variant TEXT, value REAL, target REAL, direction TEXT, unit TEXT,
  verdict TEXT, why TEXT);
CREATE TABLE issues (code TEXT, text TEXT);

-- A range of NULL is the whole run. Where the time goes, and what limits it.
CREATE VIEW slowest_kernels AS
  SELECT k.short_name, v.name AS variant, k.launches, k.time_s, k.time_share, k.bound_by, k.headroom,
         k.hbm_utilisation, k.compute_utilisation, k.memory_stall_ratio, k.source
  FROM kernels k LEFT JOIN variants v ON v.id = k.variant_id ORDER BY k.time_s DESC;
-- Counters under their names, beside the launch and the kernel they belong to.
CREATE VIEW launch_counters AS
  SELECT l.id AS launch_id, k.short_name AS kernel, n.name AS counter, c.value
  FROM counters c JOIN counter_names n ON n.id = c.counter_id
  JOIN launches l ON l.id = c.launch_id LEFT JOIN kernels k ON k.id = l.kernel_id;
-- Each variant against the first, in time and bytes.
CREATE VIEW variant_comparison AS
  SELECT v.name, v.time_s, v.speedup_over_first, v.hbm_bytes,
         v.hbm_bytes / (SELECT hbm_bytes FROM variants WHERE id = 0) AS hbm_bytes_of_first,
         v.hbm_bytes / v.hbm_bytes_predicted AS hbm_measured_of_predicted, v.source
  FROM variants v ORDER BY v.id;
-- What to do, largest gain first.
CREATE VIEW advice AS
  SELECT d.severity, d.title, k.short_name AS kernel, d.variant, d.action, d.estimated_gain,
         d.gain_kind
  FROM diagnoses d LEFT JOIN kernels k ON k.id = d.kernel_id ORDER BY d.id;
CREATE VIEW missed_targets AS
  SELECT label, variant, value, target, unit, why FROM targets WHERE verdict = 'missed';
)sql";

}  // namespace ridgepoint::sqlite
