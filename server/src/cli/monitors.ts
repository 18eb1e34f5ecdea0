/** `rubicon monitors …`: what watches the sum of what agents do. */
import { readFileSync } from 'node:fs'
import type { Monitor, MonitorVerdict } from 'rubicon-kernel'
import { createOperator } from 'rubicon-runtime/compose'
import { readMonitorFile } from 'rubicon-runtime/contract-file'
import type { MonitorStatus } from 'rubicon-runtime/engine/monitors'
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, getArgument, type StorePlace } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { toRuntimeOptions } from './open.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

/** A monitor as it is printed. */
export type ListedMonitor = {
  readonly agent_id: string
  readonly agent_status: MonitorStatus['agent_status']
  readonly name: string
  readonly origin: MonitorStatus['origin']
  readonly monitor_hash: string
  readonly statistic: Monitor['statistic']
  readonly window: Monitor['window']
  readonly min_samples: number
  readonly verdict: MonitorVerdict
}

export async function listMonitors({ place, out }: CommandCall): Promise<ExitCode> {
  const { monitors: found, unseen } = await report(place)
  const monitors = found.map(toListedMonitor)
  const rows = monitors.map(({ agent_id, name, statistic, origin, verdict }) => [
    agent_id,
    name,
    statistic.kind,
    origin,
    verdict.kind,
    verdict.value ?? '-',
    String(verdict.samples),
    String(verdict.unreadable),
  ])
  const head = ['AGENT', 'MONITOR', 'STATISTIC', 'FROM', 'SAYS', 'VALUE', 'SAMPLES', 'UNREADABLE']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (monitors.length === 0) out.note(`${SYMBOLS.info} nothing is watched`)
  if (unseen > 0) out.note(`${SYMBOLS.info} ${unseen} entries have not been looked at yet`)
  out.data({ monitors, unseen })
  return EXIT.done
}

async function report(place: StorePlace) {
  const engine = await createOperator(toRuntimeOptions(place), 'read')
  try {
    return await engine.oversight.monitors()
  } finally {
    await engine.context.store.close()
  }
}

function toListedMonitor({ monitor, ...status }: MonitorStatus): ListedMonitor {
  const { name, statistic, window, min_samples } = monitor
  return { ...status, name, statistic, window, min_samples }
}

export async function deployMonitors(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const monitors = await readMonitors(args)
  const deployed: object[] = []
  await executeAsOperator(call, async (client) => {
    for (const [at, { name }] of monitors.entries()) {
      const source = readFileSync(args[at] ?? '', 'utf8')
      const done = unwrapAnswer(await client.deployMonitor({ params: { name }, body: { source } }))
      const how = done.unchanged ? 'is in force already' : 'is in force'
      out.line(`${out.symbol(SYMBOLS.allowed)} ${done.name} ${how}`)
      deployed.push(done)
    }
  })
  out.data({ deployed })
  return EXIT.done
}

/** All files are read before anything is done with them. */
export async function readMonitors(files: readonly string[]): Promise<readonly Monitor[]> {
  const monitors: Monitor[] = []
  for (const file of files) monitors.push(unwrap(await readMonitorFile(file)))
  return monitors
}

export async function withdrawMonitor(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const name = getArgument(call, 0, 'NAME')
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, { what: `nobody is stopped by \`${name}\` any more`, name })
  const asked = { params: { name }, body: { reason }, ...createIdempotencyKey() }
  const withdrawn = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.withdrawMonitor(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} is withdrawn`)
  out.data(withdrawn)
  return EXIT.done
}
