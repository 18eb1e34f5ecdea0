/** `rubicon flows review DFID`: a person has looked at what was flagged, and leaves it as it is. */
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { assertSpeakerNamed, type CommandCall } from './call.ts'
import { confirm } from './confirm.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function reviewFlow(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const dfid = await resolveDfidArgument(call)
  const justification = options.getRequired('reason', '--reason TEXT')
  assertSpeakerNamed(call)
  const shown = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.getFlow({ params: { dfid } })),
  )
  const open = shown.flags.filter(({ reviewed }) => !reviewed)
  const last = open.at(-1)
  for (const { kind, by, why } of open) out.note(`flagged by ${kind} ${by}: ${escapeText(why)}`)
  await confirm(call, { what: `flow \`${dfid}\` stays as it is, on your word`, name: dfid })
  const review = await executeAsOperator(call, async (client) =>
    unwrapAnswer(
      await client.reviewFlow({
        params: { dfid },
        // What was shown, and no more than that.
        body: { justification, ...(last === undefined ? {} : { last_flag: last.seq }) },
        ...createIdempotencyKey(),
      }),
    ),
  )
  const word = review.repeated ? 'was reviewed before' : 'reviewed'
  out.line(`${out.symbol(SYMBOLS.allowed)} ${dfid} ${word} by ${escapeText(review.by)}`)
  out.data(review)
  return EXIT.done
}
