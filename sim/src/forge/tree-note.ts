import {
  type Address,
  computeFrontierRoot,
  computeNoteKeyId,
  decodeBase64,
  emptyFrontier,
  encodeUtf8,
  extendFrontierAll,
  formatCheckpointBody,
  formatNote,
  hashLeaf,
  toLeafInput,
} from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import type { Signer } from '../../../runtime/src/ports/signer.ts'

/** The checkpoint over exactly these entries, signed by whoever holds the key. */
export async function signTreeNote(
  origin: string,
  ids: readonly Address[],
  signer: Signer,
): Promise<string> {
  const key = decodeBase64(signer.publicKey('checkpoint')?.public_key ?? '')
  if (key === undefined) throw new Error('the signer has a checkpoint key')
  const leaves = ids.map((id) => hashLeaf(toLeafInput(id), sha256))
  const root = computeFrontierRoot(extendFrontierAll(emptyFrontier, leaves, sha256), sha256)
  const body = formatCheckpointBody({ origin, size: ids.length, root, extensions: [] })
  const signature = await signer.sign('checkpoint', encodeUtf8(body))
  return formatNote(body, [
    { name: origin, keyId: computeNoteKeyId(origin, key, sha256), signature },
  ])
}
