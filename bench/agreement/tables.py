"""The Markdown: first how much of each class agrees, then what does not, with all values."""
from .classes import (APPLICATION_REPLAY, BOTH, CLASSES, KERNEL_REPLAY, SHORT_BYTES, SHORT_NS,
                      SHORT_SHARE)
from .judgement import RIDGEPOINT, SEVERAL_ANSWERS, TOOLS, pairs_of

POLICIES = {"flush": "`--cache-control flush` beside `--cache-control all`",
            "none": "`--cache-control none` beside `--cache-control none`"}


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(heads, rows):
    return [row(heads), "|" + "---|" * len(heads), *map(row, rows)]


def share(agree):
    """How many of some, of which each is a truth; nothing where there are none."""
    return f"{sum(agree)} of {len(agree)}" if agree else ""


def worst(pairs, reference):
    differences = [abs(d) for d in (p.difference(reference) for p in pairs) if d is not None]
    return f"{100 * max(differences):.1f} %" if differences else ""


def compared(pairs):
    return [p for p in pairs if p.kind and not p.missing() and not p.nothing()]


def limit_text(kind):
    short = f"; below {SHORT_NS // 1000} us {100 * SHORT_SHARE:.0f} % or {SHORT_BYTES // 1024} KiB"
    return f"{100 * kind.limit:.0f} %" + (short if kind.short == "dram" else "")


def lines_of(name, pairs, programs, limit, reason):
    """One line for each mode of Nsight Compute that the pairs have, and one for "either"."""
    judged_beside = pairs[0].references() if not reason else ()
    for reference in BOTH:
        beside = [p for p in pairs if p.samples.get(reference)]
        if beside:
            alone = judged_beside == (reference,)
            yield [name, str(len({p.counter for p in beside})), reference, limit,
                   *(share([p.agrees(reference) for p in beside if p.program == program])
                     for program in programs), worst(beside, reference),
                   "**judged**" if alone else reason or "shown"]
    if len(judged_beside) > 1:
        yield [name, str(len({p.counter for p in pairs})), "either", limit,
               *(share([p.agrees_at_all() for p in pairs if p.program == program])
                 for program in programs), "", "**judged**"]


def class_lines(pairs, programs):
    """The lines of every class; what is judged apart from what is not, by the reason."""
    for kind in CLASSES:
        mine = [p for p in compared(pairs) if p.kind == kind]
        for reason in sorted({p.why_not_judged() for p in mine}):
            chosen = [p for p in mine if p.why_not_judged() == reason]
            # A class that has no application replay of some counters is judged in two parts.
            chosen.sort(key=lambda p: -len(p.references()))
            name = kind.name
            if kind.short == "shown" and not reason:
                name += f", {SHORT_NS // 1000} us and more"
            yield from lines_of(name, chosen, programs, limit_text(kind), reason)


def totals(pairs):
    seen = compared(pairs)
    judged = [p for p in seen if not p.why_not_judged()]
    agree = [p for p in judged if p.agrees_at_all()]
    nothing = [p for p in pairs if p.kind and not p.missing() and p.nothing()]
    missing = [p for p in pairs if p.kind and p.missing()]
    several = [p for p in seen if p.why_not_judged() == SEVERAL_ANSWERS]
    among = [p for p in several if p.among_answers()]
    shown = len(seen) - len(judged) - len(several)
    text = (f"{len(pairs)} pairs of a counter and a kernel: {len(judged)} judged, of which "
            f"**{len(agree)} agree**; of {len(several)} Nsight Compute has more than one answer, and "
            f"{len(among)} of ours are among these; {shown} shown and not judged; in "
            f"{len(nothing)} both count nothing; {len(missing)} have no value in one tool.")
    unknown = sorted({p.counter for p in pairs if p.kind is None})
    if unknown:
        text += " **Of no class, and not compared**: " + ", ".join(f"`{c}`" for c in unknown) + "."
    return text


def figure(pair, tool):
    values = pair.values(tool)
    if not values:
        return ""
    if min(values) == max(values):
        return f"{values[0]:,.0f}"
    return f"{pair.median(tool):,.0f} ({min(values):,.0f} to {max(values):,.0f})"


def percent(value):
    return "" if value is None else f"{100 * value:+.1f} %"


def listed(pair, remarks):
    reference = pair.references()[-1]
    return [pair.program, pair.kernel[:40], str(pair.launches), f"{pair.duration_ns / 1000:.1f}",
            f"`{pair.counter}`", figure(pair, KERNEL_REPLAY), figure(pair, APPLICATION_REPLAY),
            figure(pair, pair.ours(reference)), percent(pair.difference(reference)),
            ", ".join(remarks)]


def modes_differ(pair):
    if all(pair.samples.get(mode) for mode in BOTH):
        if not pair.agrees(KERNEL_REPLAY, pair.median(APPLICATION_REPLAY)):
            return ["Nsight Compute's modes differ"]
    return []


def disagreements(pairs):
    for p in compared(pairs):
        if p.why_not_judged() or p.agrees_at_all():
            continue
        remarks = []
        if len(p.references()) == 1:
            (reference,) = p.references()
            (other,) = [mode for mode in BOTH if mode != reference]
            if p.samples.get(other) and p.agrees(other):
                remarks.append(f"agrees beside {other}")
        yield listed(p, remarks + modes_differ(p))


def several_answers(pairs):
    """What is left out of the judgement because Nsight Compute does not agree with itself."""
    for p in compared(pairs):
        if p.why_not_judged() == SEVERAL_ANSWERS:
            where = "among its answers" if p.among_answers() else "**beyond its answers**"
            yield listed(p, [where, *modes_differ(p)])


def missing_lines(pairs):
    """Counters that one tool has no value for, with the programs."""
    found = {}
    for p in pairs:
        if p.kind and p.missing():
            who = "Ridgepoint" if not p.samples.get(RIDGEPOINT) else "Nsight Compute"
            found.setdefault((p.counter, who), []).append(f"{p.program}: {p.kernel[:40]}")
    return [f"- `{counter}`, no value by {who}: {', '.join(dict.fromkeys(where))}"
            for (counter, who), where in found.items()]


def policy_section(policy, runs, notes):
    pairs, programs = [], []
    for name, rounds in runs.items():
        try:
            pairs += pairs_of(name, rounds, policy)
            programs.append(name)
        except ValueError as why:
            notes.append(f"{name}, {policy}: {why}")
    heads = [f"{name} ({len(runs[name])})" for name in programs]
    out = [f"### {POLICIES[policy]}", "", totals(pairs), ""]
    if policy == "none":
        out += ["What depends on caches is judged by application replay of both tools.", ""]
    out += table(["class", "counters", "beside Nsight Compute's", "limit", *heads, "most apart", ""],
                 class_lines(pairs, programs))
    for title, lines in (("Judged, and not in agreement", list(disagreements(pairs))),
                         ("Not judged: " + SEVERAL_ANSWERS, list(several_answers(pairs)))):
        if lines:
            out += ["", title + " (medians, and in brackets the least and the most).", ""]
            out += table(["program", "kernel", "launches", "us", "counter", *BOTH, RIDGEPOINT,
                          "apart", ""], lines)
    return out + [""] + missing_lines(pairs), pairs


def document(saved):
    """The lines from "## Programs" on, and all pairs by policy."""
    versions = ", ".join(f"{what} {value}" for what, value in saved["versions"].items())
    notes = list(saved["notes"])
    out = ["## Programs", "", versions + ".", "",
           "In brackets: how often each program ran under each tool. Cells count pairs of a counter "
           "and a kernel (all launches of one name, grid and block) whose medians agree.", ""]
    by_policy = {}
    for policy, runs in saved["runs"].items():
        lines, by_policy[policy] = policy_section(policy, runs, notes)
        out += [*lines, ""]
    out += [f"- {note}" for note in dict.fromkeys(notes)]
    return [line for i, line in enumerate(out) if line or i == 0 or out[i - 1]], by_policy


CSV_HEAD = ["policy", "program", "kernel", "launches", "duration_ns", "class", "counter",
            *(f"{tool} {what}" for tool in TOOLS for what in ("median", "least", "most"))]


def csv_rows(by_policy):
    for policy, pairs in by_policy.items():
        for p in pairs:
            values = [[p.median(tool), min(p.values(tool)), max(p.values(tool))]
                      if p.values(tool) else ["", "", ""] for tool in TOOLS]
            yield [policy, p.program, p.kernel, p.launches, p.duration_ns,
                   p.kind.name if p.kind else "", p.counter, *sum(values, [])]
