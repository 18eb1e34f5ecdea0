/** Reads contracts from YAML files. Every problem is told with its file, line and column. */
import { open } from 'node:fs/promises'
import {
  type Contract,
  err,
  type Failure,
  LIMITS,
  ok,
  parseContract,
  type Result,
  utf8Text,
} from 'rubicon-kernel'
import { compilePatterns } from './compile-patterns.ts'
import { type Path, parseYaml, type YamlProblem } from './yaml-document.ts'

export type ContractFileProblem = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly detail: string
}

const SHOWN_PROBLEMS = 5

export async function readContractFile(path: string): Promise<Result<Contract, Failure>> {
  const bytes = await readUpTo(path, LIMITS.json.bytes + 1)
  if (!bytes.ok) return bytes
  if (bytes.value.length > LIMITS.json.bytes) return err(tooLarge(path))
  const text = utf8Text(bytes.value)
  return text === undefined
    ? err(refused(path, [{ line: 1, column: 1, path: [], detail: 'the file is not UTF-8' }]))
    : parseContractText(text, path)
}

export function parseContractText(text: string, fileName: string): Result<Contract, Failure> {
  if (text.length > LIMITS.json.bytes) return err(tooLarge(fileName))
  const document = parseYaml(text)
  if (!document.ok) return err(refused(fileName, document.error))
  const { value, locate } = document.value
  const contract = parseContract(value)
  if (!contract.ok) {
    const located = contract.error.map((problem) => ({ ...problem, ...locate(problem.path) }))
    return err(refused(fileName, located))
  }
  const patterns = compilePatterns(contract.value)
  if (!patterns.ok)
    return err({ ...patterns.error, summary: `${fileName}: ${patterns.error.summary}` })
  return ok(contract.value)
}

/** Not the whole file first and its size afterwards: a path may name a device without an end. */
async function readUpTo(path: string, most: number): Promise<Result<Uint8Array, Failure>> {
  try {
    const file = await open(path, 'r')
    try {
      const bytes = new Uint8Array(most)
      let length = 0
      while (length < most) {
        const { bytesRead } = await file.read(bytes, length, most - length, null)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return ok(bytes.subarray(0, length))
    } finally {
      await file.close()
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return err({
      code: 'FILE_UNREADABLE',
      summary: `contract \`${path}\` cannot be read`,
      why,
      fix: 'check the path',
    })
  }
}

function tooLarge(file: string): Failure {
  const detail = `the file is larger than ${LIMITS.json.bytes} bytes`
  return refused(file, [{ line: 1, column: 1, path: [], detail }])
}

function refused(file: string, found: readonly YamlProblem[]): Failure {
  const problems = found.map(({ line, column, path, detail }) => ({
    file,
    line,
    column,
    path: pathText(path),
    detail,
  }))
  const told = problems.slice(0, SHOWN_PROBLEMS).map(problemText)
  const more = problems.length - told.length
  if (more > 0) told.push(`and ${more} more`)
  return {
    code: 'CONTRACT_INVALID',
    summary: `the contract cannot be accepted: ${told.join('; ')}`,
    why: 'a member is missing, unknown or unparsable',
    fix: 'correct the lines named',
    meta: { problems },
  }
}

/** `agent.yaml:3:1: permissions.limits[0].max: must be …`, which editors can follow. */
export function problemText({ file, line, column, path, detail }: ContractFileProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${detail}`
}

function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
