/** `rubicon keys …`: public keys, what they are for, and since when they count or do not. */
import { isKeyInUse, type KeyRecord } from 'rubicon-kernel'
import { readAuthority } from 'rubicon-runtime/engine/authority'
import { logVerifierKey } from 'rubicon-runtime/engine/ledger'
import { nodeCrypto } from 'rubicon-verifier'
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function listKeys({ place, out }: CommandCall): Promise<ExitCode> {
  const keys = await readFromStore(place, async (store) => [
    ...(await readAuthority(store)).keys.values(),
  ])
  const rows = keys.map((key) => [key.key_id, key.purpose, key.subject, describeKeyState(key)])
  for (const line of formatTable([['KEY', 'PURPOSE', 'SUBJECT', 'STATE'], ...rows])) out.line(line)
  out.data({ keys })
  return EXIT.done
}

function describeKeyState(key: KeyRecord): string {
  if (isKeyInUse(key)) return `in use since ${key.added_seq}`
  return key.compromised_since_seq === undefined
    ? `retired at ${key.retired_seq}`
    : `compromised since ${key.compromised_since_seq}`
}

export async function showKey(call: CommandCall): Promise<ExitCode> {
  const { place, out } = call
  const id = getArgument(call, 0, 'KEY_ID')
  const authority = await readFromStore(place, readAuthority)
  const key = authority.keys.get(id)
  if (key === undefined)
    throw new CliFailure({
      code: 'KEY_UNKNOWN',
      summary: `\`${id}\` is not registered`,
      fix: 'see `rubicon keys`',
    })
  out.line(`${key.key_id}  ${describeKeyState(key)}`)
  out.line(`  purpose     ${key.purpose}`)
  out.line(`  subject     ${key.subject}`)
  out.line(`  public key  ${key.public_key}`)
  const verifier_key =
    key.purpose === 'checkpoint'
      ? logVerifierKey(place.tenant, authority, key, nodeCrypto.sha256)
      : null
  if (verifier_key !== null) out.line(`  verifier key  ${verifier_key}`)
  out.data({ ...key, verifier_key })
  return EXIT.done
}

export async function retire(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const id = getArgument(call, 0, 'KEY_ID')
  await confirm(call, { what: `from now on \`${id}\` signs for nobody`, name: id })
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
  const what = `whatever \`${id}\` signed from authority/${since} on will not count`
  await confirm(call, { what, name: id })
  const asked = { params: { id }, body: { since_seq: since }, ...createIdempotencyKey() }
  const marked = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.compromiseKey(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} does not count from authority/${since} on`)
  out.note(`${SYMBOLS.info} rubicon verify now names every entry that it signed since`)
  out.data(marked)
  return EXIT.done
}
