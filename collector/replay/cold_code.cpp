#include "collector/replay/cold_code.h"

#include <utility>

namespace ridgepoint::collector {
namespace {

const char* const what = "emptying the instruction caches";
// Never launched.
const char source[] = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry ridgepoint_fresh_code(.param .u64 where)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [where];
  setp.eq.s64 %p1, %rd1, 0;
  mov.u32 %r1, 1;
  @!%p1 st.global.u32 [%rd1], %r1;
  ret;
}
)";

}  // namespace

Result<ColdCode> ColdCode::create(const DriverApi& driver) {
  CUlinkState link = nullptr;
  Status made = driver_status(driver, driver.link_create(0, nullptr, nullptr, &link), what);
  if (!made) {
    return tl::make_unexpected(made.error());
  }
  void* cubin = nullptr;
  std::size_t bytes = 0;
  std::string text = source;
  made = driver_status(driver,
                       driver.link_add(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1,
                                       "fresh code", 0, nullptr, nullptr),
                       what)
             .and_then([&] {
               return driver_status(driver, driver.link_complete(link, &cubin, &bytes), what);
             });
  std::string kept = made ? std::string(static_cast<const char*>(cubin), bytes) : std::string();
  driver.link_destroy(link);  // and the cubin with it
  if (!made) {
    return tl::make_unexpected(made.error());
  }
  return ColdCode(driver, std::move(kept));
}

Status ColdCode::empty_caches() const {
  CUmodule module = nullptr;
  if (Status loaded = driver_status(*driver_, driver_->module_load(&module, cubin_.data()), what);
      !loaded) {
    return loaded;
  }
  CUfunction function = nullptr;
  // The driver loads code when it is first asked for (CUDA_MODULE_LOADING=LAZY, the default).
  const Status loaded =
      driver_status(*driver_, driver_->module_function(&function, module, "ridgepoint_fresh_code"),
                    what)
          .and_then(
              [&] { return driver_status(*driver_, driver_->function_load(function), what); });
  driver_->module_unload(module);
  return loaded;
}

}  // namespace ridgepoint::collector
