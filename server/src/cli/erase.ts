/**
 * `rubicon erase DFID`: takes out what an ended flow said, for good. It says first what would go; with
 * `--dry-run` that is all.
 */

import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, parseSpeakerOption } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { ToldErasure } from './operator.ts'
import { SYMBOLS } from './output.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function erase(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const dfid = await resolveDfidArgument(call)
  const by = parseSpeakerOption(call)
  const planned = await executeAsOperator(call, (operator) => operator.planErasure(dfid))
  for (const line of describeErasure(planned)) out.line(line)
  if (options.hasFlag('dryRun')) {
    out.data(toErasureData(planned))
    return EXIT.done
  }
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, { what: `what flow \`${dfid}\` said is gone for good`, name: dfid })
  const erased = await executeAsOperator(call, (operator) => operator.erase(dfid, reason, by))
  out.line(`${out.symbol(SYMBOLS.allowed)} erased: ${dfid}, entry ${erased.seq} of \`erasure\``)
  out.data(toErasureData(erased))
  return EXIT.done
}

function describeErasure({ dfid, agent_id, payloads, records }: ToldErasure): readonly string[] {
  const kept = Object.entries(records).map(([kind, count]) => `${count} ${kind}`)
  return [
    `flow ${dfid} of ${agent_id}`,
    `  goes   ${payloads.length} payloads, its trigger, and what its steps say`,
    `  goes   ${kept.length === 0 ? 'no records' : `records: ${kept.join(', ')}`}`,
    '  stays  who, when, which kind and how it ended; hashes, leaves, and the World as it is',
  ]
}

/** Without the leaves of the World, which nobody reads. */
function toErasureData(erasure: ToldErasure): object {
  const { dfid, agent_id, payloads, records, seq } = erasure
  const places = payloads.map(({ trajectory, seq: at, leaf }) => ({ trajectory, seq: at, leaf }))
  return { dfid, agent_id, seq, payloads: places, records }
}
