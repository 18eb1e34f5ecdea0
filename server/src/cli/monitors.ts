/** `rubicon monitors …`: what watches the sum of what agents do. */
import { readFileSync } from 'node:fs'
import type { Monitor } from 'rubicon-kernel'
import { readMonitorFile } from 'rubicon-runtime/contract-file'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

const HEAD = [
  ...['AGENT', 'MONITOR', 'STATISTIC', 'FROM', 'SAYS', 'VALUE', 'SAMPLES', 'UNREADABLE'],
  'RULE',
]

export async function listMonitors(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const report = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.listMonitors()),
  )
  const { monitors, unseen } = report
  const rows = monitors.map(({ agent_id, monitor, origin, verdict, sentence }) => [
    agent_id,
    monitor.name,
    String(monitor.statistic.kind),
    origin,
    verdict.kind,
    verdict.value ?? '-',
    String(verdict.samples),
    String(verdict.unreadable),
    sentence,
  ])
  for (const line of formatTable([HEAD, ...rows], out.width)) out.line(line)
  if (monitors.length === 0) out.note(`${SYMBOLS.info} no monitors are deployed`)
  if (unseen > 0) out.note(`${SYMBOLS.info} ${unseen} entries are not processed yet`)
  out.data(report)
  return EXIT.done
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
  await confirm(call, { what: `\`${name}\` stops no agent any more`, name })
  const asked = { params: { name }, body: { reason }, ...createIdempotencyKey() }
  const withdrawn = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.withdrawMonitor(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} is withdrawn`)
  out.data(withdrawn)
  return EXIT.done
}
