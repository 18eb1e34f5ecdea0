/**
 * `rubicon erase DFID`: takes out what an ended flow said, for good. It says first what would go; with
 * `--dry-run` that is all.
 */

import type { Erasure } from 'rubicon-agents/client'
import { executeAsOperator } from './as-operator.ts'
import { assertSpeakerOption, type CommandCall } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

export async function erase(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const dfid = await resolveDfidArgument(call)
  assertSpeakerOption(call)
  const params = { dfid }
  const planned = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.planErasure({ params })),
  )
  for (const line of describeErasure(planned)) out.line(line)
  if (options.hasFlag('dryRun')) {
    out.data(planned)
    return EXIT.done
  }
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, {
    what: `the payloads of flow \`${dfid}\` are erased permanently`,
    name: dfid,
  })
  const erased = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.eraseFlow({ params, body: { reason }, ...createIdempotencyKey() })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} erased: ${dfid}, entry ${erased.seq} of \`erasure\``)
  out.data(erased)
  return EXIT.done
}

function describeErasure({ dfid, agent_id, payloads, records }: Erasure): readonly string[] {
  const kept = Object.entries(records).map(([kind, count]) => `${count} ${kind}`)
  return [
    `flow ${dfid} of ${agent_id}`,
    `  goes   ${payloads.length} payloads, its trigger, and what its steps say`,
    `  goes   ${kept.length === 0 ? 'no records' : `records: ${kept.join(', ')}`}`,
    '  stays  who, when, which kind and how it ended; hashes, leaves, and the World as it is',
    '  stays  copies elsewhere: exports, backups, and on Postgres what the server keeps in its files',
  ]
}
