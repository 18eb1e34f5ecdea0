/** `rubicon escalations comment ID`: a person says something to others who look at a request. */
import { executeAsOperator } from './as-operator.ts'
import { assertSpeakerNamed, type CommandCall } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'
import { resolveRequestArgument } from './whole-id.ts'

export async function addRequestComment(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const text = options.getRequired('text', '--text TEXT')
  assertSpeakerNamed(call)
  const id = await resolveRequestArgument(call)
  const said = await executeAsOperator(call, async (client) =>
    unwrapAnswer(
      await client.addComment({
        params: { id },
        body: { text },
        ...createIdempotencyKey(),
      }),
    ),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} has the comment of ${escapeText(said.by)}`)
  out.data(said)
  return EXIT.done
}
