/**
 * What may be said of an error: what kind it is and where in the code it came from. Its message may
 * hold anything: an address with a password, a row, what an agent wrote.
 */
import { StoreError } from '../../ports/store.ts'
import { RegistryUnavailable } from '../rows/registry-unavailable.ts'

/** Kinds that say something to an operator; everything else is an `Error`. */
const KINDS: readonly (new (...given: never[]) => Error)[] = [
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
]

export type ErrorPlace = { readonly error: string; readonly where?: string }

export function describeErrorPlace(error: unknown): ErrorPlace {
  const where = parseFirstFrame(error)
  return { error: toErrorKind(error), ...(where === undefined ? {} : { where }) }
}

function toErrorKind(error: unknown): string {
  if (error instanceof StoreError) return error.code
  if (error instanceof RegistryUnavailable) return 'REGISTRY_UNAVAILABLE'
  return KINDS.find((kind) => error instanceof kind)?.name ?? 'Error'
}

const FRAME = /[/\\]([\w.-]+\.[cm]?[jt]s):(\d+):\d+\)?$/

/** The first frame, without its folder. A message may look like a frame, so it is cut off first. */
function parseFirstFrame(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined
  const { stack, message } = error
  const end = stack.indexOf(message)
  if (end < 0) return undefined
  for (const line of stack.slice(end + message.length).split('\n')) {
    const [, file, number] = FRAME.exec(line) ?? []
    if (file !== undefined) return `${file}:${number}`
  }
  return undefined
}
