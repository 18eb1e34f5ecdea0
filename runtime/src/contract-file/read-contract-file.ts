/** Reads contracts from YAML files. */
import { type Contract, err, type Failure, ok, parseContract, type Result } from 'rubicon-kernel'
import { compilePatterns } from './compile-patterns.ts'
import { type DocumentKind, parseDocumentText, readDocument } from './read-document.ts'

const CONTRACT: DocumentKind<Contract> = {
  word: 'contract',
  code: 'CONTRACT_INVALID',
  parse: parseContract,
}

export async function readContractFile(path: string): Promise<Result<Contract, Failure>> {
  return withPatterns(await readDocument(CONTRACT, path), path)
}

export function parseContractText(text: string, fileName: string): Result<Contract, Failure> {
  return withPatterns(parseDocumentText(CONTRACT, text, fileName), fileName)
}

/** The kernel takes patterns as they are written; whether they can be compiled is known here. */
function withPatterns(
  contract: Result<Contract, Failure>,
  fileName: string,
): Result<Contract, Failure> {
  if (!contract.ok) return contract
  const patterns = compilePatterns(contract.value)
  if (patterns.ok) return ok(contract.value)
  return err({ ...patterns.error, summary: `${fileName}: ${patterns.error.summary}` })
}
