/** `rubicon explain CODE`: offline, from the same table that the kernel speaks. */
import { REASON_CODES, REASONS, type Reason } from 'rubicon-kernel'
import {
  AGENT_REASONS,
  ARTIFACT_DOOR_REASONS,
  ARTIFACT_REASONS,
  CHANNEL_REASONS,
  COMMAND_REASONS,
  DEPLOY_REASONS,
  ENGINE_REASONS,
  type EngineReason,
  EVENT_REASONS,
  explain as explainCode,
  findNearestCode,
  GRAMMAR_REASONS,
  getReasonPlace,
  MCP_REASONS,
  REVIEW_REASONS,
  START_REASONS,
  TOOL_REASONS,
} from 'rubicon-runtime/reasons'
import { HTTP_REASONS, type HttpCode } from '../http/problems/http-reason.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { isDfidLike } from './other-id.ts'
import { formatTable } from './output.ts'

export async function explain({ args, out }: Pick<CommandCall, 'args' | 'out'>): Promise<ExitCode> {
  const given = args[0]?.trim()
  if (given === undefined) {
    for (const line of formatTable(REASON_CODES.map((code) => [code, REASONS[code].means])))
      out.line(line)
    out.data(REASON_CODES.map((code) => ({ code, ...REASONS[code] })))
    return EXIT.done
  }
  const explained = explainCode(given.toUpperCase())
  if (explained === null) return explainOther(out, given)
  const { code, reason, example } = explained
  const gate = reason.gate === null ? '' : `; ${reason.gate_code} at gate ${reason.gate} of DIR`
  out.line(out.paint('bold', code))
  out.line(`  means   ${reason.means}`)
  out.line(`  why     ${reason.why}`)
  out.hint(`  fix     ${reason.fix}`)
  out.line(`  from    ${getReasonPlace(code).stage.replace(/^\d/, 'stage $&')}${gate}`)
  out.line(`  retry   ${describeRetry(reason)}`)
  out.line(`  http    ${reason.http}`)
  if (example !== null) {
    out.line(`  example ${example.title}`)
    for (const line of JSON.stringify(example.input, null, 2).split('\n')) out.line(`    ${line}`)
  }
  out.data({ code, ...reason, example })
  return EXIT.done
}

type Said = 'server' | 'engine' | 'command' | 'agent'

/** Codes that no verdict carries, and who says them. */
export const OTHER_REASONS: readonly (readonly [Said, Readonly<Record<string, EngineReason>>])[] = [
  ['server', HTTP_REASONS],
  ['engine', ENGINE_REASONS],
  ['engine', GRAMMAR_REASONS],
  ['engine', START_REASONS],
  ['engine', EVENT_REASONS],
  ['engine', REVIEW_REASONS],
  ['engine', DEPLOY_REASONS],
  ['engine', CHANNEL_REASONS],
  ['engine', TOOL_REASONS],
  ['server', ARTIFACT_DOOR_REASONS],
  ['command', MCP_REASONS],
  ['command', ARTIFACT_REASONS],
  ['agent', AGENT_REASONS],
  ['command', COMMAND_REASONS],
]

function explainOther(out: CommandCall['out'], given: string): ExitCode {
  const code = given.toUpperCase()
  const found = OTHER_REASONS.find(([, reasons]) => Object.hasOwn(reasons, code))
  const reason = found?.[1][code]
  if (found === undefined || reason === undefined) throw createUnknownCodeFailure(given)
  const { means, why, fix } = reason
  const [said] = found
  out.line(out.paint('bold', code))
  out.line(`  means   ${means}`)
  out.line(`  why     ${why}`)
  out.hint(`  fix     ${fix}`)
  if (isHttpCode(code)) out.line(`  http    ${HTTP_REASONS[code].http}`)
  out.line(`  from    the ${said}; no verdict has it`)
  out.data({ code, means, why, fix, said })
  return EXIT.done
}

function isHttpCode(code: string): code is HttpCode {
  return Object.hasOwn(HTTP_REASONS, code)
}

/** What comes of the same once more. */
function describeRetry({ transient, http }: Reason): string {
  if (transient)
    return 'the same may pass later; the refusal does not count as an attempt of the agent'
  return http === ASKS
    ? 'wait: a person decides first, and proposing the same again changes nothing'
    : 'the same would be refused again; the refusal counts as an attempt of the agent'
}

/** The status of what was taken and waits for somebody. */
const ASKS = 202

const CODES: readonly string[] = [
  ...REASON_CODES,
  ...OTHER_REASONS.flatMap(([, reasons]) => Object.keys(reasons)),
]

/** A request or a place in the ledger. */
const ELSEWHERE = /^[\w-]+[:/]\d+$/

function createUnknownCodeFailure(given: string): CliFailure {
  const code = 'REASON_UNKNOWN'
  if (given === '')
    return new CliFailure({
      code,
      summary: 'no reason code was given',
      fix: '`rubicon explain` alone lists all of them',
    })
  if (isDfidLike(given) || ELSEWHERE.test(given))
    return new CliFailure({
      code,
      summary: `\`${given}\` is not a reason code`,
      why: '`explain` tells what a code like `LIMIT_EXCEEDED` means, not what happened in a flow',
      fix: `what happened in a flow, and why: \`rubicon flows show ${isDfidLike(given) ? given : 'DFID'}\``,
    })
  const similar = listCodesWithWord(given)
  if (similar.length > 0)
    return new CliFailure({
      code,
      summary: `there is no reason code \`${given}\``,
      fix: `codes with this word: ${similar.map((one) => `\`${one}\``).join(', ')}`,
    })
  const close = findNearestCode(given, CODES)
  return new CliFailure({
    code,
    summary: `there is no reason code \`${given}\``,
    why: 'it is none of the runtime; contracts may have codes of their own, which the contract explains',
    fix:
      close === null
        ? '`rubicon explain` lists the codes of verdicts'
        : `did you mean \`${close}\`? \`rubicon explain\` lists the codes of verdicts`,
  })
}

/** Whoever remembers a part of a code is shown what has it. */
function listCodesWithWord(given: string): readonly string[] {
  const word = given.toUpperCase().replaceAll(/[\s-]+/g, '_')
  return [...new Set(CODES.filter((code) => `_${code}_`.includes(`_${word}_`)))].slice(0, SHOWN)
}

const SHOWN = 12
