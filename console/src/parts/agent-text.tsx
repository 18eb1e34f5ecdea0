import type { ReactNode } from 'react'
import { toVisiblePieces } from './visible-text.ts'
import './agent-text.css'

/** Text that an agent, or anybody outside, wrote. The one way in which such text reaches the screen. */
export function AgentText({ text }: { readonly text: string }): ReactNode {
  return (
    <span className="agent-text" dir="auto">
      {toVisiblePieces(text).map(({ text: piece, escaped }, index) =>
        escaped ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
          <code className="agent-text-escape" key={index} title="a character that cannot be seen">
            {piece}
          </code>
        ) : (
          piece
        ),
      )}
    </span>
  )
}
