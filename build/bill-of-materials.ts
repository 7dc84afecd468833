import { VERSION } from '../src/version.ts';
import { type LockedPackage, lockedPackage } from './lock.ts';
import { nameOf, packagesOf } from './packages.ts';
import { runtimePartsOf } from './runtime-parts.ts';
import { TARGETS, type Target } from './targets.ts';

const component = (place: string, { version, integrity, license }: LockedPackage) => {
  const name = nameOf(place);
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

const runtimePart = ({ name, version, license, copyright }: ReturnType<typeof runtimePartsOf>[number]) => ({
  type: 'library',
  'bom-ref': `runtime/${name}`,
  name,
  ...(version ? { version } : {}),
  licenses: [{ expression: license }],
  copyright,
});

/**
 * Lists each bundled dependency as one component. Two builds of the same commit must produce identical bytes, so the
 * list contains no timestamps or random values.
 */
export const billOfMaterials = (modules: Iterable<string>, target: Target, commit: string) => {
  const runtime = `node_modules/${TARGETS[target]}`;
  const components = [
    { ...component(runtime, lockedPackage(runtime)), components: runtimePartsOf(target).map(runtimePart) },
    ...packagesOf(modules).map((place) => component(place, lockedPackage(place))),
  ];
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
