import type { Contract, Failure, JsonObject, Result } from 'rubicon-kernel'
import { parseContractObject, readContractFile } from './read-contract-file.ts'

/** A document, or the path of a file that holds one. */
export async function loadContract(
  contract: string | JsonObject | Contract,
): Promise<Result<Contract, Failure>> {
  return typeof contract === 'string'
    ? readContractFile(contract)
    : parseContractObject(contract as JsonObject)
}
