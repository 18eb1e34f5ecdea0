/** `rubicon explain CODE`: offline, from the same table that the kernel speaks. */
import { isReasonCode, REASON_CODES, REASONS } from 'rubicon-kernel'
import type { Call } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { nearest } from './nearest.ts'
import { table } from './output.ts'

export async function explain({ args, out }: Call): Promise<ExitCode> {
  const [given] = args
  if (given === undefined) {
    for (const line of table(REASON_CODES.map((code) => [code, REASONS[code].means]))) out.line(line)
    out.data(REASON_CODES.map((code) => ({ code, ...REASONS[code] })))
    return EXIT.done
  }
  const code = given.toUpperCase()
  if (!isReasonCode(code)) throw unknownCode(given)
  const reason = REASONS[code]
  const gate = reason.gate === null ? '' : `, gate ${reason.gate} (${reason.gate_code})`
  out.line(out.paint('bold', code))
  out.line(`  means   ${reason.means}`)
  out.line(`  why     ${reason.why}`)
  out.line(`  fix     ${reason.fix}`)
  out.line(`  said by ${reason.producer}${gate}`)
  out.line(`  retry   ${reason.transient ? 'may pass later; costs no retry' : 'final; costs a retry'}`)
  out.line(`  http    ${reason.http}`)
  out.data({ code, ...reason })
  return EXIT.done
}

function unknownCode(given: string): CliFailure {
  const close = nearest(given.toUpperCase(), REASON_CODES)
  return new CliFailure({
    code: 'REASON_UNKNOWN',
    summary: `there is no reason code \`${given}\``,
    why: 'contracts may have codes of their own; those are explained by the contract',
    fix:
      close === undefined
        ? '`rubicon explain` lists all codes'
        : `did you mean \`${close}\`? \`rubicon explain\` lists all codes`,
  })
}
