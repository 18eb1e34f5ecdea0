/** Every source file that git knows and that is not a test. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../shell.ts'
import type { Sources } from './measure.ts'

export function readSources(): Sources {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
  const paths = listed
    .trim()
    .split('\n')
    .filter((path) => !/\.test(-support)?\.tsx?$|\.d\.ts$/.test(path))
    .filter((path) => existsSync(join(ROOT, path)))
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}
