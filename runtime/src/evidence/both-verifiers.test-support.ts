/** What both verifiers say of a file that this runtime exported. */
import assert from 'node:assert/strict'
import { nodeCrypto, type Report, verifyAny } from 'rubicon-verifier'

type Found = Pick<Report, 'findings'>

type Oracle = {
  readonly oracleSkip: string | false
  oracleReport(text: string, options: { readonly signatures: string }): Promise<Found>
}

/** By its address: to TypeScript tests of the verifier are in another project, out of which nothing is imported by path. */
const ORACLE = new URL('../../../verifier/src/samples/oracle.test-support.ts', import.meta.url)

/** Leaf and code of each finding, once. Without Python only ours is asked, but never where CI=true. */
export async function foundByBoth(text: string): Promise<readonly string[]> {
  const ours = places(verifyAny(text, nodeCrypto))
  // Not while files are loaded: what they declare after that would be of the first that waited for it.
  const { oracleReport, oracleSkip }: Oracle = await import(ORACLE.href)
  if (oracleSkip !== false) return ours
  const second = await oracleReport(text, { signatures: 'sample' })
  assert.deepEqual(places(second), ours)
  return ours
}

function places({ findings }: Found): readonly string[] {
  return [...new Set(findings.map(({ leaf, code }) => `${leaf} ${code}`))].sort()
}
