import { say } from '#language/program/say.ts';
/** Names that runs never write, in small letters: programs that build, start or trust the files beside them would act on rows. */
export interface ProtectedNames {
    readonly names: RegExp;
    readonly reason: () => string;
}

/** One of these endings. */
const ending = (words: string): string => `\\.(?:${alternatives(words)})$`;
/** Exactly one of these names; `*` stands for any further part. */
const named = (words: string): string => `^(?:${alternatives(words)})$`;

function alternatives(words: string): string {
    return words
        .split(/\s+/u)
        .map(word => word.replaceAll('.', '\\.').replaceAll('*', '.*'))
        .join('|');
}

const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'u');

export const PROTECTED: readonly ProtectedNames[] = [
    { names: anyOf(ending('rulelang code-workspace')), reason: () => say`runs do not write programs or workspaces` },
    { names: anyOf(named('rulelang.json')), reason: () => say`runs do not write the settings of a project` },
    {
        names: anyOf(
            ending(
                'sh bash zsh fish ksh csh ps1 psm1 psd1 bat cmd com exe dll so dylib app msi scr lnk url reg inf hta vbs vbe wsf wsh command',
            ),
            ending('js jse mjs cjs jsx ts tsx mts cts node wasm py pyw pyc pth ipynb rb rake pl pm php lua tcl awk r vim el jar war class'),
            ending('groovy kts scpt workflow desktop service plist xlsm xlsb'),
        ),
        reason: () => say`runs do not write scripts or programs`,
    },
    {
        names: anyOf(
            ending('mk cmake ninja gradle bzl bazel nix tf tfvars sbt cabal gemspec podspec sln props targets [a-z]{2}proj config.json'),
            named('makefile* gnumakefile* justfile* dockerfile* containerfile* jenkinsfile* rakefile* procfile* gemfile* vagrantfile*'),
            named(
                'brewfile* podfile* fastfile* cartfile* guardfile* capfile* berksfile* thorfile* tiltfile* earthfile* snakefile* pipfile*',
            ),
            named('sconstruct sconscript wscript configure build workspace module crontab meson.build meson_options.txt cmakelists.txt'),
            named(
                'cmakepresets.json cmakeuserpresets.json conanfile.txt runtime.txt build.xml ivy.xml pom.xml setup.cfg tox.ini pytest.ini',
            ),
            named(
                'go.mod go.sum go.work mix.exs project.clj deps.edn rebar.config nuget.config stack.yaml environment.yml environment.yaml',
            ),
            named(
                'flake.lock cargo.toml cargo.lock pyproject.toml poetry.toml poetry.lock uv.toml uv.lock pdm.toml pdm.lock pixi.toml pixi.lock',
            ),
            named('netlify.toml yarn.lock pnpm-*.yaml npm-shrinkwrap.json package.json package-lock.json tsconfig*.json jsconfig*.json'),
            named(
                'composer.json deno.json bower.json lerna.json nx.json turbo.json rush.json angular.json vercel.json firebase.json biome.json',
            ),
            named('renovate.json devcontainer.json vcpkg.json cdk.json daemon.json import_map.json pyrightconfig.json appsettings*.json'),
            named(
                'launchsettings.json compose*.yml compose*.yaml compose*.json docker-compose*.yml docker-compose*.yaml docker-compose*.json',
            ),
            '^(?:\\w+[-_])?(?:requirements|constraints)(?:[-_.]\\w+)*\\.txt$',
        ),
        reason: () => say`runs do not write files that builds and tools act on`,
    },
    {
        names: anyOf(
            ending('pem key ppk p12 pfx p7b jks keystore kdb kdbx gpg asc crt cer der'),
            named('id_rsa* id_dsa* id_ecdsa* id_ed25519* authorized_keys* known_hosts* htpasswd* passwd* shadow sudoers*'),
            '^(?:credentials|secrets|client_secrets?|service[-_]account)\\b.*\\.(?:json|txt|csv)$',
        ),
        reason: () => say`runs do not write keys or credentials`,
    },
];
