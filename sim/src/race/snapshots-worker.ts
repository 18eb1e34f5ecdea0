/** Prints one hash over the snapshot ids that a store gives for the contexts of a seed. */
import { createHash } from 'node:crypto'
import { formatInstant, hashContract, LIMITS, mintDfid, parseContract } from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { compileContext } from '../../../runtime/src/engine/context/compile-context.ts'
import type { Write } from '../../../runtime/src/ports/store.ts'
import { Rng } from '../rng.ts'
import { CONTRACT } from './law.ts'

const [address = 'memory', stateDirectory = '', cases = '0', seed = '1', turned = ''] =
  process.argv.slice(2)

const START = Date.UTC(2026, 5, 1)
const WORDS = ['refund', 'limit', 'customer', 'Übertrag', 'policy', 'price', 'ticket', '税', 'late']
const TOGETHER = 25

type Case = { readonly dfid: string; readonly trigger: string; readonly writes: readonly Write[] }

/** Every case is made of its own number, so that it does not matter in which order they are made. */
function createCase(number: number): Case {
  const rng = new Rng(Number(seed) * 1_000_003 + number)
  const dfid = mintDfid(START + number, rng.bytes(10))
  const drawWords = (most: number): string =>
    Array.from({ length: rng.drawBetween(1, most) }, () => rng.pick(WORDS)).join(' ')
  const writes: Write[] = []
  for (let i = rng.drawBelow(15); i > 0; i -= 1) {
    const text = drawWords(30)
    const at = formatInstant(START - rng.drawBelow(2 * LIMITS.contextWindowMs))
    const label = rng.pick(['trusted', 'operator', 'external', 'agent'] as const)
    const body = { at, label, text, tokens: text.length >> 2, flags: [] }
    writes.push({ kind: 'put_record', record: 'note', group: dfid, key: `${at}:${i}`, body })
  }
  const path = `prices.${number}`
  const said = {
    value: String(rng.drawBelow(1_000)),
    source: 'sim',
    label: 'external',
    observed_at: formatInstant(START),
    flags: [],
  } as const
  const body = { said, operator: null }
  writes.push({ kind: 'put_record', record: 'observation', group: 'state', key: path, body })
  return { dfid, trigger: drawWords(8), writes }
}

const runtime = await createRuntime({
  store: address,
  stateDirectory,
  background: false,
  sources: [{ source_id: 'sim', label: 'external', paths: ['prices.*'] }],
})
await runtime.deploy(CONTRACT)
const engine = await runtime.start()
const contract = parseContract(CONTRACT)
if (!contract.ok) throw new Error('the contract is one')
const deployed = {
  contract: contract.value,
  hash: hashContract(contract.value, sha256),
  seq: 0,
  revoked: false,
  persons: { owner: 'p_nobody', approvers: [] },
}
for (const [i, word] of WORDS.entries()) {
  const text = `${word} ${WORDS.slice(i).join(' ')}\n\n${WORDS.slice(0, i).join(' ')} ${word}`
  const put = await engine.contextStore.putArtifact({ name: `doc-${i}`, title: word, text })
  if (!put.ok) throw new Error(put.error.summary)
}
const numbers = Array.from({ length: Number(cases) }, (_, i) => i)
if (turned === 'turned') numbers.reverse()
for (let i = 0; i < numbers.length; i += TOGETHER) {
  const writes = numbers.slice(i, i + TOGETHER).flatMap((number) => createCase(number).writes)
  if (turned === 'turned') writes.reverse()
  const outcome = await runtime.store.commit({ guards: [], writes })
  if (!outcome.ok) throw new Error('the cases could not be stored')
}
const hash = createHash('sha256')
for (let number = 0; number < numbers.length; number += 1) {
  const { dfid, trigger } = createCase(number)
  const compiled = await compileContext(engine.context, {
    dfid,
    trigger,
    trajectory: 'main',
    now: formatInstant(START),
    deployed,
    state: [`prices.${number}`],
    world: [],
    // With the notes and the decisions of the flow itself.
    again: true,
  })
  if (!compiled.ok) throw new Error(compiled.error.summary)
  hash.update(compiled.value.snapshot.address)
}
await runtime.close()
console.log(hash.digest('hex'))
