"""Write the files beside this script; see README.md."""

from pathlib import Path

from datasets import Dataset, DatasetDict
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard, DatasetCardData

HERE = Path(__file__).resolve().parent
ROWS = {
    "segment_id": ["s1", "s1", "s2", "s2"],
    "source": ["Guten Tag.", "Guten Tag.", "Das Fenster,\nbitte!", "Das Fenster,\nbitte!"],
    "system": ["A", "B", "A", "B"],
    "output": ["Good day.", 'A "good" day.', "The window, please!", "Café ☕"],
    "rater": ["r1", "r1", "r1", "r2"],
    "fluency": [4.0, 2.5, None, 1.0],
}

one = Dataset.from_dict(ROWS)
one.save_to_disk(HERE / "saved")
parts = DatasetDict(train=one.select([0, 1]), test=one.select([2, 3]))
parts.save_to_disk(HERE / "saved_splits")

# As `push_to_hub` lays a dataset out: one Parquet file for each split, and a card.
pushed = HERE / "pushed"
(pushed / "data").mkdir(parents=True)
for split, table in parts.items():
    table.to_parquet(pushed / "data" / f"{split}-00000-of-00001.parquet")
card = DatasetCardData(language="de", license="cc0-1.0", pretty_name="Made-up ratings")
infos = DatasetInfosDict({"default": parts["train"].info})
infos.to_dataset_card_data(card)
files = [{"split": split, "path": f"data/{split}-*"} for split in parts]
MetadataConfigs({"default": {"data_files": files}}).to_dataset_card_data(card)
DatasetCard(f"---\n{card}\n---\n").save(pushed / "README.md")
