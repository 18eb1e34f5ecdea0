/** `rubicon explain CODE`: offline, from the same table that the kernel speaks. */
import { REASON_CODES, REASONS, type Reason } from 'rubicon-kernel'
import { ENGINE_REASONS } from '../reasons/engine-reasons.ts'
import { explain as explainCode, nearestCode } from '../reasons/explain.ts'
import { placeOf } from '../reasons/places.ts'
import { HTTP_REASONS, type HttpCode } from '../server/http-reason.ts'
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
  if (explained === null) return explainOther(out, given)
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

/** What no verdict says: codes of the server and of the engine. */
function explainOther(out: Call['out'], given: string): ExitCode {
  const code = given.toUpperCase()
  const http = isHttpCode(code) ? HTTP_REASONS[code] : null
  const reason = http ?? (Object.hasOwn(ENGINE_REASONS, code) ? ENGINE_REASONS[code] : undefined)
  if (reason === undefined) throw unknownCode(given)
  const { means, why, fix } = reason
  out.line(out.paint('bold', code))
  out.line(`  means   ${means}`)
  out.line(`  why     ${why}`)
  out.line(`  fix     ${fix}`)
  if (http !== null) out.line(`  http    ${http.http}`)
  out.line(`  said    ${http === null ? 'by the engine' : 'by the server'}, in no verdict`)
  out.data({ code, means, why, fix, said: http === null ? 'engine' : 'server' })
  return EXIT.done
}

function isHttpCode(code: string): code is HttpCode {
  return Object.hasOwn(HTTP_REASONS, code)
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
    why: 'contracts may have codes of their own, which the contract explains; other codes of the server stand in docs/reference/http.md',
    fix:
      close === null
        ? '`rubicon explain` lists all codes'
        : `did you mean \`${close}\`? \`rubicon explain\` lists all codes`,
  })
}
