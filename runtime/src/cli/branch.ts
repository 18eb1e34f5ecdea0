/** `rubicon branch TRAJECTORY --at SEQ --name NAME`: another future from the same past. */

import { asOperator } from './as-operator.ts'
import { argument, type Call } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'

export async function branch(call: Call): Promise<ExitCode> {
  const { options, out } = call
  const trajectory = argument(call, 0, 'TRAJECTORY')
  options.required('at', '--at SEQ')
  const source = { trajectory, seq: options.count('at', 0) }
  const name = options.required('name', '--name NAME')
  const note = options.text('note') ?? ''
  const made = await asOperator(call, (operator) => operator.branch({ source, name, note }))
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} starts at ${trajectory}/${source.seq}`)
  out.data({ ...made, source })
  return EXIT.done
}
