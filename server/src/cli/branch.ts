/** `rubicon branch TRAJECTORY --at SEQ --name NAME`: another future from the same past. */

import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function runBranch(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const trajectory = getArgument(call, 0, 'TRAJECTORY')
  options.getRequired('at', '--at SEQ')
  const source = { trajectory, seq: options.count('at', 0) }
  const name = options.getRequired('name', '--name NAME')
  const note = options.text('note') ?? ''
  const body = { seq: source.seq, name, note }
  const made = await executeAsOperator(call, async (client) =>
    unwrapAnswer(
      await client.branchTrajectory({
        params: { id: trajectory },
        body,
        ...createIdempotencyKey(),
      }),
    ),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} starts at ${trajectory}/${source.seq}`)
  out.data({ ...made, source })
  return EXIT.done
}
