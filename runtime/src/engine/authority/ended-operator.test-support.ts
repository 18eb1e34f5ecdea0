/** Another operator ends the operator key of a runtime, while something that it has signed is on its way into the store. */
import assert from 'node:assert/strict'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type JsonValue,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { createSeededSigner } from '../../adapters/system/signer.ts'
import type { Runtime } from '../../compose.ts'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildKeyRegistration, registerKey, retireKey } from './keys.ts'

/** Before the first unit that has such a write is written. */
export async function endOperatorKeyBefore(
  { engine, store }: Runtime,
  kind: Write['kind'],
): Promise<void> {
  const { context } = engine
  const other = await registerOperator(context)
  const own = context.signer.publicKey('operator')?.key_id ?? ''
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    if (unit.writes.some((write) => write.kind === kind)) {
      store.commit = commit
      const ended = await retireKey(other, own)
      assert.ok(ended.ok, JSON.stringify(ended))
    }
    return commit(unit)
  }
}

/** The same runtime, as where another operator's key is held. */
async function registerOperator(context: Context): Promise<Context> {
  const signer = createSeededSigner(encodeUtf8('other'), ['operator'])
  const public_key = signer.publicKey('operator')?.public_key ?? ''
  const core = { purpose: 'operator', subject: 'other', public_key } as const
  const body = buildKeyRegistration(context, core)
  assert.ok(body.ok)
  const text = encodeUtf8(toCanonicalText(body.value as unknown as JsonValue))
  const signed = await signer.sign('operator', encodePreAuth(toPayloadType('key'), text))
  assert.ok((await registerKey(context, { ...core, possession: encodeBase64(signed) })).ok)
  return { ...context, signer }
}
