/** Every format, by the ending of a file's name. */

import { isExternalName } from './external/external-name.ts'
import type { Format } from './format.ts'
import { JSON_FORMAT, JSONC_FORMAT } from './json/json.ts'
import { limitFormat } from './limit-format.ts'
import { MARKDOWN_FORMAT } from './markdown/markdown.ts'
import { TYPESCRIPT_FORMATS } from './typescript/typescript.ts'
import { YAML_FORMAT } from './yaml/yaml.ts'

export const FORMATS: readonly Format[] = [
  ...TYPESCRIPT_FORMATS,
  JSON_FORMAT,
  JSONC_FORMAT,
  YAML_FORMAT,
  MARKDOWN_FORMAT,
].map(limitFormat)

/** The longest ending counts; undefined: nothing reads it, so it is kept as bytes. */
export function findFormat(name: string): Format | undefined {
  let found: { readonly format: Format; readonly length: number } | undefined
  const known = isCompilerConfig(name) ? COMPILER_CONFIG : name
  for (const format of FORMATS)
    for (const ending of format.endings)
      if (known.endsWith(ending) && ending.length > (found?.length ?? 0))
        found = { format, length: ending.length }
  if (found === undefined) return undefined
  return isExternalName(name) ? { ...found.format, isReadOnly: true } : found.format
}

const COMPILER_CONFIG = 'tsconfig.json'

/** TypeScript reads them all with comments, whatever stands in the middle of their names: `tsconfig.build.json`. */
function isCompilerConfig(name: string): boolean {
  return /^[jt]sconfig\.(?:.+\.)?json$/u.test(name.split(/[\\/]/u).at(-1) ?? '')
}

/** Those that are merged by symbols. The parts of a document are blocks of lines: git merges them as well as anybody. */
export const MERGED_FORMATS: readonly Format[] = FORMATS.filter(({ type }) => type !== 'spec')
