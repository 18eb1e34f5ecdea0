import type { ReactNode } from 'react'

/** The head of a table whose last column has buttons: it is named for those who hear it. */
export function HeadWithAction({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        <th scope="col">
          <span className="unseen">action</span>
        </th>
      </tr>
    </thead>
  )
}
