import { readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000

/**
 * Descriptors that a new process would get from this one. Node closes its own; what whoever started this process
 * left open beyond the first few goes on to every program, and nothing in Node can close it.
 */
export function listInherited(): readonly number[] {
  return listDescriptors().filter((descriptor) => {
    try {
      const [, flags = '0'] =
        /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
      return descriptor > 2 && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
    } catch {
      // It was the one with which they were listed.
      return false
    }
  })
}

/** Where the system does not say, there are none that are known. */
function listDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}
