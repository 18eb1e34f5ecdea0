/** A stored contract as YAML: what a file would say to make exactly this contract. */
import { type Contract, parseContract } from 'rubicon-kernel'
import { stringify } from 'yaml'

const WIDTH = 100

/** Anchors and references are none of a contract's YAML; texts that look like numbers are quoted. */
export function formatContract(contract: Contract): string {
  // What is stored has its members in the order of their bytes; read once more, in that of the spec.
  const read = parseContract(contract)
  const document = read.ok ? read.value : contract
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: WIDTH, version: '1.2' })
}
