/** Renames by TypeScript's language service, one file at a time, with nothing else around it. */
import ts from 'typescript'
import type { AskedEdit } from './serve.ts'

export type Renamed = {
  /** Null: it would not rename it. */
  readonly expected: string | null
  readonly sites: readonly number[]
}

export class RenameService {
  #file = ''
  #text = ''
  #version = 0
  readonly #service: ts.LanguageService

  constructor() {
    const options: ts.CompilerOptions = {
      ...{ noLib: true, noResolve: true, types: [], allowJs: true },
      ...{ target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve },
    }
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [this.#file],
      getScriptVersion: () => String(this.#version),
      getScriptSnapshot: (name) =>
        name === this.#file ? ts.ScriptSnapshot.fromString(this.#text) : undefined,
      getCurrentDirectory: () => '/corpus',
      getDefaultLibFileName: () => '/corpus/lib.d.ts',
      fileExists: (name) => name === this.#file,
      readFile: (name) => (name === this.#file ? this.#text : undefined),
    })
  }

  rename(name: string, text: string, { nameAt, text: given }: AskedEdit): Renamed {
    if (nameAt === null) return { expected: null, sites: [] }
    this.#open(name, text)
    const locations = this.#service.findRenameLocations(this.#file, nameAt, false, false, {
      providePrefixAndSuffixTextForRename: true,
    })
    if (locations === undefined) return { expected: null, sites: [] }
    const sorted = [...locations].sort((a, b) => a.textSpan.start - b.textSpan.start)
    let expected = ''
    let done = 0
    for (const { textSpan, prefixText = '', suffixText = '' } of sorted) {
      expected += `${text.slice(done, textSpan.start)}${prefixText}${given}${suffixText}`
      done = textSpan.start + textSpan.length
    }
    return {
      expected: expected + text.slice(done),
      sites: sorted.map(({ textSpan }) => textSpan.start),
    }
  }

  /** What lies below `node_modules` it does not rename: so it gets another name, with its ending. */
  #open(name: string, text: string): void {
    const [, ending = '.ts'] = /((?:\.d)?\.[cm]?tsx?)$/u.exec(name) ?? []
    const file = `/corpus/file${ending}`
    if (this.#text === text && this.#file === file) return
    this.#text = text
    this.#file = file
    this.#version += 1
  }
}
