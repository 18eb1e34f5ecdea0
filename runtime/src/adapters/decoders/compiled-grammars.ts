/**
 * Grammars that were compiled, for one vocabulary: the ones that were used last. State that an agent is shown makes another grammar
 * whenever it moves, and the library's own table of them has no end, in memory that nobody collects.
 *
 * C1 at most so many are kept, and those that are being used; the one that was not used for longest goes first.
 * C2 what could not be compiled is not kept.
 */
import { hash } from 'node:crypto'
import type { XCompiler, XDisposable } from './load-xgrammar.ts'

/** A grammar takes from a hundred kilobytes to some megabytes. */
const KEPT_MOST = 32

type Kept = { readonly grammar: Promise<XDisposable>; users: number }

export class CompiledGrammars {
  readonly #compiler: Pick<XCompiler, 'compileGrammar'>
  /** By the hash of their text; the one that was used last is the last. */
  readonly #kept = new Map<string, Kept>()

  /** `compiler`: one that keeps nothing itself. */
  constructor(compiler: Pick<XCompiler, 'compileGrammar'>) {
    this.#compiler = compiler
  }

  /** Calls `use` with the grammar, which is not disposed of meanwhile. */
  async lend<T>(ebnf: string, use: (grammar: XDisposable) => Promise<T>): Promise<T> {
    const key = hash('sha256', ebnf)
    const kept = this.#kept.get(key) ?? { grammar: this.#compiler.compileGrammar(ebnf), users: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    try {
      return await use(await kept.grammar.catch((error: unknown) => this.#forget(key, kept, error)))
    } finally {
      kept.users -= 1
      this.#evict(KEPT_MOST)
    }
  }

  close(): void {
    this.#evict(0)
  }

  #forget(key: string, kept: Kept, error: unknown): never {
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
    throw error
  }

  #evict(most: number): void {
    for (const [key, { grammar, users }] of this.#kept) {
      if (this.#kept.size <= most) return
      if (users > 0) continue
      this.#kept.delete(key)
      grammar.then(
        (one) => one.dispose(),
        () => {},
      )
    }
  }
}
