/** `rubicon clock …`: the clock of the machine that works on a store. */

import { executeAsOperator } from './as-operator.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

/** The reason is the confirmation: it is signed and stays visible for ever. */
export async function confirmClockOf(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const reason = options.getRequired('reason', '--reason TEXT')
  const body = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.confirmClock({ body: { reason } })),
  )
  out.line(`${out.symbol(SYMBOLS.waiting)} the clock is at ${body.clock}, confirmed`)
  out.line(`  the last time before was ${body.last}`)
  out.data(body)
  return EXIT.done
}
