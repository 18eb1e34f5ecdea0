/** Texts as they are handed to the desk: by value, with the names by which scopes and answers know them. */
import type { JsonObject } from 'rubicon-kernel'

export type DeskText = {
  /** The name of the artifact, `src/auth.ts`. Its ending says which format it has. */
  readonly artifact: string
  /** Of what has no ending that a format knows. */
  readonly media?: string
  readonly text: string
  /** Of a config artifact, what its value has to be: JSON Schema 2020-12. */
  readonly schema?: JsonObject
}

/** An artifact that a change does not write. */
export type ProjectText = DeskText & {
  /** Its text when the change was planned, where that is another one. */
  readonly was?: string
}
