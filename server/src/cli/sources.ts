/** `rubicon source …`: who may say what is so. */
import type { SourceLabel } from 'rubicon-agents/client'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { listOf } from './up-people.ts'

export async function listSources(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { sources, reported } = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.listSources()),
  )
  const rows = sources.map(({ source_id, label, paths, max_paths, key }) => [
    source_id,
    label,
    paths.join(' '),
    String(max_paths),
    key === undefined ? '-' : 'signed',
    reported === null ? '?' : (reported[source_id] ?? '-'),
  ])
  for (const line of formatTable([
    ['SOURCE', 'LABEL', 'PATHS', 'AT MOST', 'KEY', 'REPORTED'],
    ...rows,
  ]))
    out.line(line)
  if (sources.length === 0)
    out.note(`${SYMBOLS.info} none: \`rubicon source add NAME --label LABEL --paths PATHS\``)
  out.data({ sources, reported })
  return EXIT.done
}

export async function addSource(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const most = options.text('maxPaths')
  const key = options.text('key')
  const source = {
    source_id: getArgument(call, 0, 'NAME'),
    label: parseLabel(options.getRequired('label', '--label LABEL')),
    paths: listOf(options.getRequired('paths', '--paths PATHS')),
    ...(most === undefined ? {} : { max_paths: Number(most) }),
    ...(key === undefined ? {} : { key }),
  }
  const done = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.registerSource({ body: source })),
  )
  const { source_id, label, paths } = done.source
  const how = done.unchanged ? 'is registered already' : 'is registered'
  out.line(`${out.symbol(SYMBOLS.allowed)} ${source_id} (${label}) ${how}: ${paths.join(' ')}`)
  out.note(
    `${SYMBOLS.info} over HTTP it needs a token: \`rubicon token ${source_id} --role source\``,
  )
  out.data({ ...done })
  return EXIT.done
}

/** Which labels there are is said by the engine. */
function parseLabel(text: string): SourceLabel {
  return text as SourceLabel
}

export async function retireSource(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const name = getArgument(call, 0, 'NAME')
  await confirm(call, { what: `facts of \`${name}\` are absent from now on`, name })
  const { seq } = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.retireSource({ params: { source: name } })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} is retired`)
  out.data({ retired: name, seq })
  return EXIT.done
}
