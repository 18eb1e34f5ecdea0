/** Tools that are data. */
export type {
  CommandExecutor,
  HttpExecutor,
  JsonTemplate,
  ManifestExecutor,
  ManifestOp,
  ManifestProbe,
  ManifestResource,
  ManifestWorldRead,
  Requirement,
  SecretReference,
  TextTemplate,
  ToolManifest,
} from './tool-manifest.ts'
