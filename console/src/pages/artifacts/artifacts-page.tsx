/** Files that agents change by symbols: which there are and what is planned, or one of them at any moment. */
import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { usePlace } from '../../url/location.ts'
import { ArtifactList } from './artifact-list.tsx'
import { ArtifactView } from './artifact-view.tsx'

export function ArtifactsPage({ name }: { readonly name: string }): ReactNode {
  const { query } = usePlace()
  const trajectory = query.get('trajectory') ?? 'main'
  return (
    <Page name="artifacts">
      {name === '' ? (
        <ArtifactList key={trajectory} trajectory={trajectory} />
      ) : (
        <ArtifactView key={`${trajectory} ${name}`} trajectory={trajectory} name={name} />
      )}
    </Page>
  )
}
