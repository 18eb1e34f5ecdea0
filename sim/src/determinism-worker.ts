/** Prints one hash over the verdicts of a seed's cases. */
import { createHash } from 'node:crypto'
import { compile, toCanonicalText } from 'rubicon-kernel'
import { runDifferentialProof } from './differential.ts'

const [cases = '0', seed = '1'] = process.argv.slice(2)
const hash = createHash('sha256')

runDifferentialProof({
  cases: Number(cases),
  seed: Number(seed),
  opinion: (input) => {
    const verdict = compile(input)
    hash.update(toCanonicalText(verdict))
    return { verdict: verdict.kind, code: 'code' in verdict ? verdict.code : null }
  },
})
console.log(hash.digest('hex'))
