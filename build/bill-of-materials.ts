import { VERSION } from '../src/version.ts';
import { type LockedPackage, lockedPackage } from './lock.ts';
import { TARGETS, type Target } from './targets.ts';

/** `node_modules/@a/b/index.js` belongs to the package at `node_modules/@a/b`, even inside another package. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

const component = (place: string, { version, integrity, license }: LockedPackage) => {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(content ? { hashes: [{ alg: 'SHA-512', content }] } : {}),
    ...(license ? { licenses: [{ expression: license }] } : {}),
  };
};

/**
 * Lists the file's contents as CycloneDX 1.6: the runtime, and every package with at least one bundled module. A module
 * that is itself a bundle is not split. Two builds of one commit give the same bytes: there is no time and no random
 * number in it.
 */
export const billOfMaterials = (modules: Iterable<string>, target: Target, commit: string) => {
  const places = new Set<string>([`node_modules/${TARGETS[target]}`]);
  for (const module of modules) {
    const [place] = PACKAGE.exec(module) ?? [];
    if (place) places.add(place);
  }
  const components = [...places].sort().map((place) => component(place, lockedPackage(place)));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'petstore',
        name: 'petstore',
        version: VERSION,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [{ name: 'petstore:commit', value: commit }],
      },
    },
    components,
    dependencies: [{ ref: 'petstore', dependsOn: components.map((each) => each['bom-ref']) }],
  };
};
