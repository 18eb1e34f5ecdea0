import {
  type Contract,
  err,
  type Failure,
  type JsonObject,
  parseContract,
  type Result,
} from 'rubicon-kernel'
import { compilePatterns } from './compile-patterns.ts'
import { readContractFile } from './read-contract-file.ts'

/** A document, or the path of a file that holds one. */
export async function contractFrom(
  contract: string | JsonObject | Contract,
): Promise<Result<Contract, Failure>> {
  if (typeof contract === 'string') return readContractFile(contract)
  const parsed = parseContract(contract as JsonObject)
  if (parsed.ok) {
    const patterns = compilePatterns(parsed.value)
    return patterns.ok ? parsed : patterns
  }
  const problems = parsed.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`).join('; ')
  return err({ code: 'CONTRACT_INVALID', summary: `the contract cannot be accepted: ${problems}` })
}
