import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { findErrorCode } from '../files/file-problem.ts'

/** Empty where there is nothing. Null: it is no regular file. A pipe is opened without waiting for somebody who writes into it. */
export function readIfThere(path: string): Buffer | null {
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return fstatSync(file).isFile() ? readFileSync(file) : null
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  } finally {
    if (file !== null) closeSync(file)
  }
}
