/** Contents of artifacts for whoever looks things up, with a desk of their own: they keep no agent waiting who plans. */
import type { BlobStore } from 'rubicon-artifacts/store'
import type { ArtifactSource } from './artifact-texts.ts'

export type OpenedSource = ArtifactSource & {
  /** Ends its desk. */
  close(): Promise<void>
}

/**
 * `place`: a folder of blobs, or a store of them. The library is loaded by who has artifacts, and no process is started before something
 * has to be parsed.
 */
export async function openArtifactSource(place: string | BlobStore): Promise<OpenedSource> {
  const { openDesk } = await import('rubicon-artifacts/desk')
  const { createFileBlobs } = await import('rubicon-artifacts/store')
  const desk = openDesk()
  const blobs = typeof place === 'string' ? createFileBlobs(place) : place
  return { blobs, desk, close: () => desk.close() }
}
