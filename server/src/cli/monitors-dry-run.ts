/**
 * `rubicon monitors dry-run`: what monitors, or a changed contract, would have done over the history
 * of a store. Nothing is written.
 */
import { buildThresholdMonitor, type Contract, type Monitor } from 'rubicon-kernel'
import { buildRules } from 'rubicon-runtime/compose'
import { readContractFile } from 'rubicon-runtime/contract-file'
import { formatTripReason } from 'rubicon-runtime/engine/monitors'
import {
  type DryRunReport,
  type RecompileReport,
  type RehearsedTrip,
  recompileTrajectory,
  rehearseMonitors,
} from 'rubicon-runtime/evidence'
import { nodeCrypto } from 'rubicon-verifier'
import { type CommandCall, createMissingFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { readMonitors } from './monitors.ts'
import { readFromStore } from './open.ts'
import { type Output, SYMBOLS } from './output.ts'
import { showDiffering } from './recompile.ts'
import { loadRules } from './rules-module.ts'

/** A trip as it is printed: what it found, and the flows behind it. */
export type PrintedTrip = {
  readonly agent_id: string
  readonly monitor: string
  readonly at: string
  readonly dfid: string
  readonly value: string | null
  readonly bound: string
  readonly threshold: string
  readonly samples: number
  readonly unreadable: number
  readonly executions_behind: number
  readonly flows: readonly string[]
}

export async function runDryRun(call: CommandCall): Promise<ExitCode> {
  const { args, options, place, out } = call
  const file = options.text('contract')
  if (args.length === 0 && file === undefined) throw createMissingFailure('FILE or --contract FILE')
  const contract = file === undefined ? null : unwrap(await readContractFile(file))
  const monitors = [...(await readMonitors(args)), ...listThresholdMonitors(contract)]
  const report = await readFromStore(place, async (store) =>
    rehearseMonitors(store, nodeCrypto.sha256, monitors),
  )
  const verdicts = contract === null ? null : await recompileVerdicts(call, contract)
  showTrips(out, report)
  if (verdicts !== null) showDiffering(out, verdicts)
  out.data({
    ok: report.ok && (verdicts?.ok ?? true),
    entries: report.entries,
    executions: report.executions,
    trips: report.trips.map(toPrintedTrip),
    monitors: report.monitors,
    verdicts,
  })
  return report.ok && (verdicts?.ok ?? true) ? EXIT.done : EXIT.findings
}

function listThresholdMonitors(contract: Contract | null): readonly Monitor[] {
  if (contract === null) return []
  const { agent_id, aggregate_thresholds } = contract
  return Object.entries(aggregate_thresholds).flatMap(
    ([name, bound]) => buildThresholdMonitor(agent_id, name, bound) ?? [],
  )
}

/** Verdicts can be given again only by rules that know the capabilities. */
async function recompileVerdicts(
  call: CommandCall,
  contract: Contract,
): Promise<RecompileReport | null> {
  const { options, place } = call
  const module = options.text('rules')
  if (module === undefined) return null
  const { capabilities, policies, topologies, topics } = await loadRules(module)
  const rules = buildRules(capabilities, policies, topologies, topics)
  const trajectory = options.text('trajectory') ?? 'main'
  return readFromStore(place, (store) => recompileTrajectory(store, trajectory, rules, [contract]))
}

function showTrips(out: Output, { ok, executions, trips, monitors }: DryRunReport): void {
  const symbol = out.symbol(ok ? SYMBOLS.allowed : SYMBOLS.waiting)
  out.line(`${symbol} ${executions} executions checked, ${trips.length} trips`)
  for (const trip of trips) {
    out.line(`  ${trip.at}  ${trip.agent_id}  ${formatTripReason(trip)}`)
    out.line(`    ${trip.behind.length} executions behind it: ${trip.flows.join(' ')}`)
  }
  for (const { agent_id, monitor, verdict } of monitors)
    out.line(
      `  ${SYMBOLS.info} ${agent_id}  ${monitor} is ${verdict.kind} at the end, over ${verdict.samples} executions`,
    )
}

function toPrintedTrip({ verdict, behind, flows, ...trip }: RehearsedTrip): PrintedTrip {
  const { value, samples, unreadable, breach } = verdict
  const { agent_id, monitor, at, dfid } = trip
  return {
    agent_id,
    monitor,
    at,
    dfid,
    value,
    bound: breach.bound,
    threshold: breach.threshold,
    samples,
    unreadable,
    executions_behind: behind.length,
    flows,
  }
}
