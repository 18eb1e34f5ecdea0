/** `rubicon flows open AGENT --branch NAME --trigger TEXT`: an agent tries something, and nothing of it leaves World. */
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function openInBranch(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const agent = getArgument(call, 0, 'AGENT')
  const id = options.getRequired('branch', '--branch NAME')
  const trigger = options.getRequired('trigger', '--trigger TEXT')
  const steps = options.hasFlag('many') ? 'many' : 'one'
  const body = { agent, trigger, steps } as const
  const opened = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.openBranchFlow({ params: { id }, body, ...createIdempotencyKey() })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${opened.dfid} for ${agent} in ${opened.trajectory}`)
  out.data({ ...opened })
  return EXIT.done
}
