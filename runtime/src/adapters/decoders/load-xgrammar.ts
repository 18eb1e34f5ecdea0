/**
 * The library, loaded when somebody asks for it. It is not among the dependencies of the runtime: whoever holds the
 * logits of a model installs it.
 *
 * Version 0.1.27 is a UMD file in a package that calls itself ESM, so that importing it throws: it is compiled as the
 * function of a CommonJS module that it is.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction, constants } from 'node:vm'

/** Of the library, what is used here. Its memory is nobody's to collect: each of these is disposed of. */
export type XGrammar = {
  readonly TokenizerInfo: {
    createTokenizerInfo(
      vocabulary: readonly string[],
      encoding: string,
      prependSpace: boolean,
      size: number,
      stop: readonly number[],
    ): Promise<XDisposable>
  }
  readonly GrammarCompiler: {
    /** `keeps`: in a table of its own, without an end. */
    createGrammarCompiler(tokenizer: XDisposable, keeps: boolean): Promise<XCompiler>
  }
  readonly GrammarMatcher: {
    createGrammarMatcher(compiled: XDisposable): Promise<XMatcher>
  }
}

export type XDisposable = { dispose(): void }

export type XCompiler = XDisposable & {
  /** Of EBNF whose first rule is `root`. */
  compileGrammar(ebnf: string): Promise<XDisposable>
}

export type XMatcher = XDisposable & {
  getNextTokenBitmask(): Promise<Int32Array>
  acceptToken(token: number): boolean
  isTerminated(): boolean
}

const PACKAGE = '@mlc-ai/web-xgrammar'
const PARTS = ['TokenizerInfo', 'GrammarCompiler', 'GrammarMatcher'] as const

let loading: Promise<XGrammar> | undefined

export function loadXGrammar(): Promise<XGrammar> {
  loading ??= load()
  return loading
}

async function load(): Promise<XGrammar> {
  const require = createRequire(import.meta.url)
  const file = resolvePackage(require)
  const source = await readFile(file, 'utf8')
  const run = compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'], {
    filename: file,
    // It imports what it needs of Node while it starts.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const module: { exports: unknown } = { exports: {} }
  run(module.exports, createRequire(file), module, file, dirname(file))
  return parseLibrary(module.exports)
}

function resolvePackage(require: NodeJS.Require): string {
  try {
    return require.resolve(PACKAGE)
  } catch (cause) {
    throw new Error(`\`${PACKAGE}\` is not installed: npm install ${PACKAGE}@0.1.27`, { cause })
  }
}

function parseLibrary(exported: unknown): XGrammar {
  const isLibrary =
    typeof exported === 'object' && exported !== null && PARTS.every((name) => name in exported)
  if (!isLibrary) throw new Error(`\`${PACKAGE}\` is not the library that this was written for`)
  return exported as XGrammar
}
