/** Reads contracts from YAML files. */
import {
  type Contract,
  err,
  type Failure,
  type JsonValue,
  ok,
  parseContract,
  type Result,
} from 'rubicon-kernel'
import { compilePatterns } from './compile-patterns.ts'
import type { ObjectProblem } from './document-refusal.ts'
import {
  type DocumentKind,
  parseDocumentObject,
  parseDocumentText,
  readDocument,
} from './read-document.ts'
import { findUnsafeExpressions } from './unsafe-expressions.ts'

const CONTRACT: DocumentKind<Contract> = {
  word: 'contract',
  code: 'CONTRACT_INVALID',
  parse: parseWithExpressions,
}

export async function readContractFile(path: string): Promise<Result<Contract, Failure>> {
  return readDocument(CONTRACT, path)
}

export function parseContractText(text: string, fileName: string): Result<Contract, Failure> {
  return parseDocumentText(CONTRACT, text, fileName)
}

export function parseContractObject(document: JsonValue): Result<Contract, Failure> {
  return parseDocumentObject(CONTRACT, document)
}

/** The kernel takes expressions as they are written; whether they can be compiled is known here. */
function parseWithExpressions(document: JsonValue): Result<Contract, readonly ObjectProblem[]> {
  const contract = parseContract(document)
  const unsafe = findUnsafeExpressions(document)
  if (!contract.ok) return err([...contract.error, ...unsafe])
  if (unsafe.length > 0) return err(unsafe)
  const patterns = compilePatterns(contract.value)
  if (patterns.ok) return ok(contract.value)
  const { code, summary: detail } = patterns.error
  return err([{ path: ['permissions'], detail, code }])
}
