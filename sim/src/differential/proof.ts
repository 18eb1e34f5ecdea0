import { listMissingCodes, runDifferentialProof } from '../differential.ts'
import { type Proof, SEED } from '../proof.ts'
import { runEventsDifferential } from './events.ts'

export const DIFFERENTIAL_PROOF: Proof = {
  name: 'differential',
  summary: 'the kernel against the reference interpreter, and the engine where it arbitrates',
  counts: 'cases',
  options: {
    cases: ['how many', 10_000],
    events: ['events that several agents answer', 200],
    seed: SEED,
  },
  async run(options, _store, progress) {
    const seed = options('seed')
    const judged = runDifferentialProof({ cases: options('cases'), seed, progress })
    const { disagreements: others, ...met } = await runEventsDifferential({
      events: options('events'),
      seed,
    })
    const disagreements = [...judged.disagreements, ...others]
    const report = { ...judged, ...met, disagreements, codes_missing: listMissingCodes(judged) }
    return { report, good: disagreements.length === 0 }
  },
}
