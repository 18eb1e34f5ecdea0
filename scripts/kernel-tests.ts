/** The kernel's tests, pure and quick, in one process: to start one for each would take longer than they do. */
import { join } from 'node:path'
import { ROOT } from './shell.ts'

const files = (process.env.RUBICON_KERNEL_TESTS ?? '').split('\n')
for (const file of files) await import(join(ROOT, file))
