/** `rubicon keys …`: public keys, what they are for, and since when they count or do not. */
import type { KeyRecord } from 'rubicon-agents/client'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { ALL_ROWS, collectRows } from './list-pages.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function listKeys(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { rows: keys, next } = await executeAsReader(call, (client) =>
    collectRows(ALL_ROWS, async (query) => {
      const page = unwrapAnswer(await client.listKeys({ query }))
      return { rows: page.keys, next: page.next }
    }),
  )
  const inOrder = keys.toSorted((a, b) => a.added_seq - b.added_seq)
  const rows = inOrder.map((key) => [key.key_id, key.purpose, key.subject, describeKeyState(key)])
  for (const line of formatTable([['KEY', 'PURPOSE', 'SUBJECT', 'STATE'], ...rows])) out.line(line)
  out.data({ keys, next })
  return EXIT.done
}

function describeKeyState(key: KeyRecord): string {
  if (key.in_use) return `in use since ${key.added_seq}`
  return key.compromised_since_seq === undefined
    ? `retired at ${key.retired_seq}`
    : `compromised since ${key.compromised_since_seq}`
}

export async function showKey(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const id = getArgument(call, 0, 'KEY_ID')
  const key = await executeAsReader(call, async (client) =>
    unwrapAnswer(await client.getKey({ params: { id } })),
  )
  out.line(`${key.key_id}  ${describeKeyState(key)}`)
  out.line(`  purpose     ${key.purpose}`)
  out.line(`  subject     ${key.subject}`)
  out.line(`  public key  ${key.public_key}`)
  if (key.verifier_key !== null) out.line(`  verifier key  ${key.verifier_key}`)
  out.data(key)
  return EXIT.done
}

export async function retire(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const id = getArgument(call, 0, 'KEY_ID')
  await confirm(call, { what: `from now on signatures of \`${id}\` are invalid`, name: id })
  const asked = { params: { id }, body: {}, ...createIdempotencyKey() }
  const retired = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.retireKey(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} retired`)
  out.data(retired)
  return EXIT.done
}

export async function markKeyCompromised(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const id = getArgument(call, 0, 'KEY_ID')
  options.getRequired('since', '--since SEQ')
  const since = options.count('since', 0)
  const what = `what \`${id}\` signed from authority/${since} on becomes invalid`
  await confirm(call, { what, name: id })
  const asked = { params: { id }, body: { since_seq: since }, ...createIdempotencyKey() }
  const marked = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.compromiseKey(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} is invalid from authority/${since} on`)
  out.note(`${SYMBOLS.info} \`rubicon verify\` now lists every entry that it signed since`)
  out.data(marked)
  return EXIT.done
}
