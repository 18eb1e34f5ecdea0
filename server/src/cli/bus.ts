/** `rubicon bus …`: messages that could not be sent. */
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

const HEAD = ['ID', 'TOPIC', 'FLOW', 'TRIED', 'PROBLEM']

export async function listDeadLetters(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const page = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.listDeadLetters()),
  )
  const rows = page.letters.map(({ id, topic, dfid, attempts, problem }) => [
    id,
    topic,
    dfid,
    String(attempts),
    problem ?? '-',
  ])
  for (const line of formatTable([HEAD, ...rows], out.width)) out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} every message was sent`)
  out.data(page)
  return EXIT.done
}

export async function replayDeadLetter(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const id = getArgument(call, 0, 'ID')
  const letter = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.replayDeadLetter({ params: { id }, body: {} })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${letter.id} is sent again`)
  out.data(letter)
  return EXIT.done
}
