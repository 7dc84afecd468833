import { Bird, Cat, Dog, Fish, type LucideIcon, PawPrint, Rabbit, Squirrel, Turtle } from 'lucide-react';

/** A category's name is free text, so its icon is guessed from common words in the name. */
const ICONS: [words: RegExp, icon: LucideIcon][] = [
  [/dog|puppy|puppies|hound/i, Dog],
  [/cat\b|cats|kitten/i, Cat],
  [/bird|parrot|parakeet|canar|chicken/i, Bird],
  [/fish|aquarium/i, Fish],
  [/rabbit|bunn/i, Rabbit],
  [/hamster|mouse|mice|rodent|guinea|squirrel|small/i, Squirrel],
  [/reptile|turtle|tortoise|lizard|snake/i, Turtle],
];

export const CategoryTile = ({ name }: { name: string }) => {
  const Icon = ICONS.find(([words]) => words.test(name))?.[1] ?? PawPrint;
  return (
    <span className="tile">
      <Icon className="icon" />
    </span>
  );
};
