/** `rubicon explain CODE`: offline, from the same table that the kernel speaks. */
import { REASON_CODES, REASONS, type Reason } from 'rubicon-kernel'
import { explain as explainCode, nearestCode } from '../reasons/explain.ts'
import { placeOf } from '../reasons/places.ts'
import type { Call } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { table } from './output.ts'

export async function explain({ args, out }: Pick<Call, 'args' | 'out'>): Promise<ExitCode> {
  const [given] = args
  if (given === undefined) {
    for (const line of table(REASON_CODES.map((code) => [code, REASONS[code].means])))
      out.line(line)
    out.data(REASON_CODES.map((code) => ({ code, ...REASONS[code] })))
    return EXIT.done
  }
  const explained = explainCode(given.toUpperCase())
  if (explained === null) throw unknownCode(given)
  const { code, reason, example } = explained
  const gate = reason.gate === null ? '' : `, gate ${reason.gate} (${reason.gate_code})`
  out.line(out.paint('bold', code))
  out.line(`  means   ${reason.means}`)
  out.line(`  why     ${reason.why}`)
  out.line(`  fix     ${reason.fix}`)
  out.line(`  said    ${placeOf(code).stage.replace(/^\d/, 'in stage $&')}${gate}`)
  out.line(`  again   ${againText(reason)}`)
  out.line(`  http    ${reason.http}`)
  if (example !== null) {
    out.line(`  example ${example.title}`)
    for (const line of JSON.stringify(example.input, null, 2).split('\n')) out.line(`    ${line}`)
  }
  out.data({ code, ...reason, example })
  return EXIT.done
}

/** What comes of the same once more. */
function againText({ transient, http }: Reason): string {
  if (transient) return 'it may pass later, and costs the agent none of its tries'
  return http === ASKS
    ? 'a person decides first; asking again changes nothing'
    : 'it would be refused again; for an agent that is one of its tries'
}

/** The status of what was taken and waits for somebody. */
const ASKS = 202

function unknownCode(given: string): CliFailure {
  const close = nearestCode(given)
  return new CliFailure({
    code: 'REASON_UNKNOWN',
    summary: `there is no reason code \`${given}\``,
    why: 'contracts may have codes of their own; those are explained by the contract',
    fix:
      close === null
        ? '`rubicon explain` lists all codes'
        : `did you mean \`${close}\`? \`rubicon explain\` lists all codes`,
  })
}
